#!/bin/sh
# available.sh [BROWSER]: whether the browser for the tests is there, BROWSER. Installs what is missing, if it may: what
# Chromium needs always, what Firefox needs if it is asked for. Otherwise one line that says what, and exit code 1.
case ${BROWSER:=chromium} in
firefox) needs="firefox-esr:firefox-esr bash:bash" ;;
chromium) needs="chromium:chromium chromedriver:chromium-driver curl:curl" ;;
*) echo "browser: '$BROWSER' is not allowed; allowed: chromium, firefox"; exit 1 ;;
esac
missing() {
    for package in $needs; do
        command -v "${package%:*}" >/dev/null || printf '%s ' "${package#*:}"
    done
}
packages=$(missing)
if [ -n "$packages" ] && { [ "$BROWSER" = chromium ] || [ -n "${1-}" ]; } && [ "$(id -u)" = 0 ] &&
    command -v apt-get >/dev/null; then
    # shellcheck disable=SC2086 # words on purpose
    { apt-get -qq update && DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends $packages; } \
        >/dev/null 2>&1
    packages=$(missing)
fi
[ -z "$packages" ] || { echo "browser: $BROWSER left out: there is no $packages(Debian: apt-get install $packages)"; exit 1; }
