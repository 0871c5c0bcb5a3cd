# A real browser, without a window: functions for scripts, which source this. Chromium does what chromedriver is told
# over HTTP (W3C WebDriver) by curl. browser_start FOLDER first; its log and profile go into the folder.

# "what" as the text of a JSON string.
json_text() {
    sed 's/\\/\\\\/g; s/"/\\"/g; s/\t/\\t/g' | awk '{ printf "%s%s", (NR > 1 ? "\\n" : ""), $0 }'
}

# browser_ask PATH JSON: the whole answer.
browser_ask() {
    curl --silent --show-error --max-time 120 --header 'Content-Type: application/json' --data-binary "$2" \
        "http://127.0.0.1:$browser_port/session$1"
}

# browser_start FOLDER
browser_start() {
    mkdir -p "$1"
    : >"$1/chromedriver.log"
    chromedriver --port=0 >>"$1/chromedriver.log" 2>&1 &
    browser_driver=$!
    tries=0
    until browser_port=$(sed -n 's/.*started successfully on port \([0-9]*\).*/\1/p' "$1/chromedriver.log") &&
        [ -n "$browser_port" ]; do
        tries=$((tries + 1))
        [ $tries -lt 300 ] || return 1
        sleep 0.1
    done
    browser_session=$(browser_ask "" '{"capabilities": {"alwaysMatch": {"goog:loggingPrefs": {"browser": "ALL"},
        "goog:chromeOptions": {"args": ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
        "--hide-scrollbars", "--window-size=1280,720", "--user-data-dir='"$1"'/profile"]}}}}' |
        sed -n 's/.*"sessionId":"\([^"]*\)".*/\1/p')
    [ -n "$browser_session" ]
}

browser_stop() {
    [ -z "${browser_session-}" ] || curl --silent --max-time 20 --request DELETE \
        "http://127.0.0.1:$browser_port/session/$browser_session" >/dev/null
    [ -z "${browser_driver-}" ] || kill "$browser_driver" 2>/dev/null || true
}

# browser_open URL
browser_open() {
    browser_ask "/$browser_session/url" "{\"url\": \"$1\"}" | grep -q '"value":null'
}

# browser_run FILE: runs the body of a function of JavaScript, and prints the text that it returns, or why it failed.
browser_run() {
    browser_ask "/$browser_session/execute/async" "{\"script\": \"const done = arguments[0]; (async () => {$(
        json_text <"$1")})().then(done, error => done(String(error && error.stack || error)))\", \"args\": []}" |
        sed 's/^{"value":"\(.*\)"}$/\1/; s/\\\\/\x01/g; s/\\n/\n/g; s/\\u003C/</g; s/\\"/"/g; s/\x01/\\/g'
}

# What was written to the console: [] if nothing was.
browser_console() {
    browser_ask "/$browser_session/se/log" '{"type": "browser"}' | sed 's/^{"value":\(.*\)}$/\1/'
}

# browser_tell METHOD PARAMETERS: one of Chromium's own commands.
browser_tell() {
    browser_ask "/$browser_session/goog/cdp/execute" "{\"cmd\": \"$1\", \"params\": $2}" >/dev/null
}

# browser_size WIDTH HEIGHT; browser_media screen|print light|dark
browser_size() {
    browser_tell Emulation.setDeviceMetricsOverride \
        "{\"width\": $1, \"height\": $2, \"deviceScaleFactor\": 1, \"mobile\": false}"
}
browser_media() {
    browser_tell Emulation.setEmulatedMedia \
        "{\"media\": \"$1\", \"features\": [{\"name\": \"prefers-color-scheme\", \"value\": \"$2\"}]}"
}

# browser_press X Y MS: the pointer goes there, and is held down for so many milliseconds.
browser_press() {
    browser_ask "/$browser_session/actions" '{"actions": [{"type": "pointer", "id": "mouse", "actions": [
        {"type": "pointerMove", "x": '"$1"', "y": '"$2"'}, {"type": "pointerDown", "button": 0},
        {"type": "pause", "duration": '"$3"'}, {"type": "pointerUp", "button": 0}]}]}' >/dev/null
}

# How many pages of paper it takes.
browser_pages() {
    browser_ask "/$browser_session/print" '{"page": {"width": 21, "height": 29.7}, "margin": {"top": 1, "bottom": 1,
        "left": 1, "right": 1}}' | sed 's/^{"value":"\(.*\)"}$/\1/' | base64 -d | grep -a -o '/Type */Page\>' | wc -l
}

# browser_picture FILE.png: what is seen.
browser_picture() {
    curl --silent --max-time 60 "http://127.0.0.1:$browser_port/session/$browser_session/screenshot" |
        sed 's/^{"value":"\(.*\)"}$/\1/' | base64 -d >"$1"
}
