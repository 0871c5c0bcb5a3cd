# shellcheck shell=sh
# A real browser, without a window: functions for scripts, which source this. BROWSER is chromium, which does what
# chromedriver is told over HTTP (W3C WebDriver) by curl, or firefox, which takes the same commands on a socket of its own
# (Marionette). browser_start FOLDER first; its log and profile go into the folder.

# "what" as the text of a JSON string.
json_text() {
    sed 's/\\/\\\\/g; s/"/\\"/g; s/\t/\\t/g' | awk '{ printf "%s%s", (NR > 1 ? "\\n" : ""), $0 }'
}

# What is in an answer that has one text.
json_value() {
    sed 's/^{"value":"\(.*\)"}$/\1/'
}

# wait_until COMMAND...: for half a minute
wait_until() {
    tries=0
    until "$@"; do
        tries=$((tries + 1))
        [ $tries -lt 300 ] || return 1
        sleep 0.1
    done
}

# Of each browser: browser_start FOLDER; browser_ask PATH JSON, the whole answer; browser_stop; browser_console, what was
# written to the console since it was last asked for, [] if nothing was; browser_size WIDTH HEIGHT; browser_media
# screen|print light|dark; and browser_scripts true|false: whether pages that are opened may run theirs.
case ${BROWSER:=chromium} in
chromium)
    chromedriver_listens() {
        browser_port=$(sed -n 's/.*started successfully on port \([0-9]*\).*/\1/p' "$1") && [ -n "$browser_port" ]
    }
    browser_start() {
        mkdir -p "${browser_folder:=$1}"
        : >"$1/browser.log"
        chromedriver --port=0 >>"$1/browser.log" 2>&1 &
        browser_driver=$!
        wait_until chromedriver_listens "$1/browser.log" || return 1
        browser_session=$(browser_ask "" '{"capabilities": {"alwaysMatch": {"goog:loggingPrefs": {"browser": "ALL"},
            "goog:chromeOptions": {"args": ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
            "--hide-scrollbars", "--window-size=1280,720", "--user-data-dir='"$1"'/profile"]}}}}' |
            sed -n 's/.*"sessionId":"\([^"]*\)".*/\1/p')
        [ -n "$browser_session" ]
    }
    browser_ask() {
        browser_method=POST
        [ "$1" != /screenshot ] || browser_method=GET
        printf %s "$2" | curl --silent --show-error --max-time 120 --header 'Content-Type: application/json' \
            --request $browser_method --data-binary @- \
            "http://127.0.0.1:$browser_port/session${browser_session:+/$browser_session}$1"
    }
    browser_stop() {
        [ -z "${browser_session-}" ] || curl --silent --max-time 20 --request DELETE \
            "http://127.0.0.1:$browser_port/session/$browser_session" >/dev/null
        [ -z "${browser_driver-}" ] || kill "$browser_driver" 2>/dev/null || true
    }
    browser_console() {
        browser_ask /se/log '{"type": "browser"}' | sed 's/^{"value":\(.*\)}$/\1/'
    }
    # browser_tell METHOD PARAMETERS: one of Chromium's own commands.
    browser_tell() {
        browser_ask /goog/cdp/execute "{\"cmd\": \"$1\", \"params\": $2}" >/dev/null
    }
    browser_size() {
        browser_tell Emulation.setDeviceMetricsOverride \
            "{\"width\": $1, \"height\": $2, \"deviceScaleFactor\": 1, \"mobile\": false}"
    }
    browser_media() {
        browser_tell Emulation.setEmulatedMedia \
            "{\"media\": \"$1\", \"features\": [{\"name\": \"prefers-color-scheme\", \"value\": \"$2\"}]}"
    }
    browser_scripts() {
        browser_tell Emulation.setScriptExecutionDisabled "{\"value\": $([ "$1" = true ] && echo false || echo true)}"
    }
    ;;
firefox)
    # Bash opens the socket. What is sent and received goes through two pipes, files 8 and 9.
    browser_start() {
        mkdir -p "${browser_folder:=$1}/profile"
        echo 'user_pref("marionette.port", 0);' >"$1/profile/user.js"
        "$(command -v firefox-esr || command -v firefox)" --headless --no-remote --marionette \
            --remote-allow-system-access --profile "$1/profile" >"$1/browser.log" 2>&1 &
        browser_driver=$!
        wait_until [ -s "$1/profile/MarionetteActivePort" ] || return 1
        mkfifo "$1/asked" "$1/answered"
        bash -c "exec 3<>/dev/tcp/127.0.0.1/$(cat "$1/profile/MarionetteActivePort"); cat <&3 & cat >&3" \
            <"$1/asked" >"$1/answered" 2>>"$1/browser.log" &
        exec 8>"$1/asked" 9<"$1/answered"
        browser_answer >/dev/null
        browser_do WebDriver:NewSession '{}' | grep -q sessionId
    }
    # The next answer, before which is its length.
    browser_answer() {
        length=
        while digit=$(head -c 1 <&9) && [ "$digit" != : ]; do
            [ -n "$digit" ] || return 1
            length=$length$digit
        done
        head -c "$length" <&9
    }
    # browser_do COMMAND JSON
    browser_do() {
        asked="[0,1,\"$1\",$2]"
        printf '%s:%s' "$(printf %s "$asked" | wc -c)" "$asked" >&8
        browser_answer | sed 's/^\[1,1,null,\(.*\)\]$/\1/'
    }
    browser_ask() {
        case $1 in
        /url) browser_do WebDriver:Navigate "$2" ;;
        /execute/async) browser_do WebDriver:ExecuteAsyncScript "$2" ;;
        /actions) browser_do WebDriver:PerformActions "$2" ;;
        /print) browser_do WebDriver:Print "$2" ;;
        /screenshot) browser_do WebDriver:TakeScreenshot '{"full": false, "hash": false}' ;;
        esac
    }
    browser_stop() {
        [ -z "${browser_driver-}" ] || kill "$browser_driver" 2>/dev/null || true
        exec 8>&- 9<&-
        [ -z "${browser_driver-}" ] || wait "$browser_driver" 2>/dev/null || true
    }
    # browser_tell SCRIPT: what the browser's own window does.
    browser_tell() {
        browser_do Marionette:SetContext '{"value": "chrome"}' >/dev/null
        browser_do WebDriver:ExecuteScript "{\"script\": \"const page = gBrowser.selectedBrowser; $(echo "$1" |
            json_text)\", \"args\": []}"
        browser_do Marionette:SetContext '{"value": "content"}' >/dev/null
    }
    browser_console() {
        browser_tell 'const isOfPage = one => one instanceof Ci.nsIScriptError && /^file:/.test(one.sourceName);
            const all = Services.console.getMessageArray().filter(isOfPage);
            Services.console.reset();
            return all.map(String);' | sed 's/^{"value":\(.*\)}$/\1/'
    }
    browser_size() {
        browser_tell "page.style.minWidth = page.style.maxWidth = '$1px';
            page.style.minHeight = page.style.maxHeight = '$2px';" >/dev/null
    }
    browser_media() {
        browser_tell "page.browsingContext.mediumOverride = '$1';
            page.browsingContext.prefersColorSchemeOverride = '$2';" >/dev/null
    }
    browser_scripts() {
        browser_tell "page.browsingContext.allowJavascript = $1;" >/dev/null
    }
    ;;
esac

# browser_open URL
browser_open() {
    browser_ask /url "{\"url\": \"$1\"}" | grep -q '"value":null'
}

# browser_run FILE: runs the body of a function of JavaScript, and prints the text that it returns, or why it failed.
browser_run() {
    browser_ask /execute/async "{\"script\": \"const done = arguments[0]; (async () => {$(
        json_text <"$1")})().then(done, error => done(String(error && error.stack || error)))\", \"args\": []}" |
        json_value | sed 's/\\\\/\x01/g; s/\\n/\n/g; s/\\u003C/</g; s/\\"/"/g; s/\x01/\\/g'
}

# browser_press X Y MS: the pointer goes there, and is held down for so many milliseconds.
browser_press() {
    browser_ask /actions '{"actions": [{"type": "pointer", "id": "mouse", "actions": [
        {"type": "pointerMove", "x": '"$1"', "y": '"$2"'}, {"type": "pointerDown", "button": 0},
        {"type": "pause", "duration": '"$3"'}, {"type": "pointerUp", "button": 0}]}]}' >/dev/null
}

# How many pages of paper it takes. Their list may be compressed; the browser itself unpacks that.
browser_pages() {
    browser_ask /print '{"page": {"width": 21, "height": 29.7}, "margin": {"top": 1, "bottom": 1,
        "left": 1, "right": 1}}' | json_value | { printf 'const text = atob("'; cat; echo '");'; cat <<'END'
const bytes = Uint8Array.from(text, letter => letter.charCodeAt(0)), lists = [text];
for (const {0: {length}, index} of text.matchAll(/\/ObjStm[^>]*>>\s*stream\r?\n/g)) {
    const packed = new Blob([bytes.slice(index + length, text.indexOf("\nendstream", index))]).stream();
    lists.push(await new Response(packed.pipeThrough(new DecompressionStream("deflate"))).text());
}
return String(lists.join().match(/\/Type *\/Page\b/g).length);
END
    } >"$browser_folder/pages.js"
    browser_run "$browser_folder/pages.js"
}

# browser_picture FILE.png: what is seen.
browser_picture() {
    browser_ask /screenshot "" | json_value | base64 -d >"$1"
}
