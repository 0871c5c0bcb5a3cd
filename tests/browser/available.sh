#!/bin/sh
# available.sh: whether there is a browser for the tests. Installs what is missing, if it may; otherwise one line that says
# what, and exit code 1.
missing() {
    for package in chromium:chromium chromedriver:chromium-driver curl:curl; do
        command -v "${package%:*}" >/dev/null || printf '%s ' "${package#*:}"
    done
}
packages=$(missing)
if [ -n "$packages" ] && [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
    # shellcheck disable=SC2086 # words on purpose
    { apt-get -qq update && DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends $packages; } \
        >/dev/null 2>&1
    packages=$(missing)
fi
[ -z "$packages" ] || { echo "browser: left out: there is no $packages(Debian: apt-get install $packages)"; exit 1; }
