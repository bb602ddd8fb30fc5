#!/usr/bin/env bash
# Calls the tools of a MemoryLake server over MCP Streamable HTTP, with bash and curl alone.
#
#   memorylake_client.sh <url> init                          prints the session id
#   memorylake_client.sh <url> <session> <tool> ['<json>']   prints the JSON-RPC answer
#   memorylake_client.sh <url> <session> --end               ends the session
#
# The key, if the server wants one, is read from MEMORYLAKE_API_KEY and sent in a header: never in the URL, where logs
# and process lists would show it. Exit codes: 0 fine, 1 the server refused or failed (the reason is on stderr, the answer
# of a failed tool on stdout), 2 bad usage.
set -u -o pipefail

readonly PROTOCOL='2025-06-18'
headers='' body='' status=''

fail() {
  printf 'memorylake_client: %s\n' "$1" >&2
  exit 1
}

usage() {
  lines=$(while IFS= read -r line; do
    case $line in '#   '*) printf '%s\n' "${line#'#   '}" ;; esac
  done <"${BASH_SOURCE[0]}")
  printf 'Usage:\n%s\n' "$lines" >&2
  exit 2
}

# send <method> <url> <session> <seconds> [body]: leaves status, headers and body of the answer in variables.
send() {
  local method=$1 url=$2 session=$3 seconds=$4 payload=${5-} answer line
  local -a options=(--silent --show-error --include --max-time "$seconds" --request "$method"
    --header 'Content-Type: application/json' --header 'Accept: application/json, text/event-stream' --header 'Expect:')
  if [[ -n $session ]]; then
    options+=(--header "Mcp-Session-Id: $session" --header "MCP-Protocol-Version: $PROTOCOL")
  fi
  [[ -n $payload ]] && options+=(--data-binary @-)
  answer=$(printf '%s' "$payload" | curl "${options[@]}" --config <(credentials) -- "$url") ||
    fail "cannot reach $url"
  headers='' status=''
  while :; do
    line=${answer%%$'\n'*}
    [[ $answer == *$'\n'* ]] && answer=${answer#*$'\n'} || answer=''
    line=${line%$'\r'}
    if [[ $line =~ ^HTTP/[0-9.]+\ ([0-9]{3}) ]]; then
      status=${BASH_REMATCH[1]} headers=''
    elif [[ -n $line ]]; then
      headers+="$line"$'\n'
    elif [[ $status != 1?? ]]; then
      break # interim answers such as 100 are followed by the real one
    fi
    [[ -z $answer && -z $line ]] && break
  done
  body=$answer
}

credentials() {
  [[ -n ${MEMORYLAKE_API_KEY-} ]] && printf 'header = "Authorization: Bearer %s"\n' "$MEMORYLAKE_API_KEY"
  return 0
}

# header <name>: the value of a header of the last answer, whatever its case.
header() {
  local line name
  while IFS= read -r line; do
    name=${line%%:*}
    if [[ ${name,,} == "$1" ]]; then
      line=${line#*:}
      printf '%s' "${line# }"
      return
    fi
  done <<<"$headers"
}

# message <id>: the JSON-RPC message with this id, from a JSON body or from the last fitting event of a stream.
message() {
  local line found='' fits='"id"[[:space:]]*:[[:space:]]*"?'"$1"'"?[[:space:]]*[,}]'
  if [[ $(header content-type) != text/event-stream* ]]; then
    printf '%s' "$body"
    return
  fi
  while IFS= read -r line; do
    line=${line%$'\r'}
    if [[ $line == data:* && $line =~ $fits ]]; then
      line=${line#data:}
      found=${line# }
    fi
  done <<<"$body"
  printf '%s' "$found"
}

# The first member that is neither the version nor the id says what the message is.
readonly KIND='^[[:space:]]*\{[[:space:]]*(("jsonrpc"|"id")[[:space:]]*:[[:space:]]*("[^"]*"|[0-9]+|null)[[:space:]]*,[[:space:]]*)*"(result|error)"'

# check <message>: ends the program unless the message is a result.
check() {
  case $status in
    2??) ;;
    401 | 403) fail "the server refused the key (HTTP $status); set MEMORYLAKE_API_KEY" ;;
    404) fail "the session is unknown or has expired (HTTP 404); run init again" ;;
    *) fail "HTTP ${status:-answer missing}: ${1:-$body}" ;;
  esac
  [[ -n $1 ]] || fail "the server sent no answer: $body"
  [[ $1 =~ $KIND ]] || fail "this is not a JSON-RPC answer: $1"
  [[ ${BASH_REMATCH[4]} == result ]] || fail "$1"
}

initialise() {
  local url=$1 answer session
  send POST "$url" '' 15 '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"'"$PROTOCOL"'","capabilities":{},"clientInfo":{"name":"memorylake-client","version":"1.0"}}}'
  answer=$(message 1)
  check "$answer"
  session=$(header mcp-session-id)
  [[ -n $session ]] || fail 'the server gave no session id'
  send POST "$url" "$session" 15 '{"jsonrpc":"2.0","method":"notifications/initialized"}'
  [[ $status == 2?? ]] || fail "the server refused the session (HTTP $status)"
  printf '%s\n' "$session"
}

call() {
  local url=$1 session=$2 tool=$3 arguments=${4-} answer
  [[ -n $arguments ]] || arguments='{}'
  send POST "$url" "$session" 120 '{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"'"$tool"'","arguments":'"$arguments"'}}'
  answer=$(message 2)
  check "$answer"
  printf '%s\n' "$answer"
  [[ ! $answer =~ \"isError\"[[:space:]]*:[[:space:]]*true ]] || exit 1
}

[[ ${BASH_VERSINFO[0]} -ge 4 ]] || fail 'bash 4 or newer is needed'
command -v curl >/dev/null || fail 'curl is needed'
[[ $# -ge 2 && $1 =~ ^https?:// ]] || usage
[[ ${MEMORYLAKE_API_KEY-} != *[$'\n\r"\\']* ]] || fail 'MEMORYLAKE_API_KEY has characters that no key has'

if [[ $2 == init ]]; then
  [[ $# -eq 2 ]] || usage
  initialise "$1"
  exit
fi
[[ $# -ge 3 && $# -le 4 && $2 =~ ^[!-~]+$ ]] || usage
if [[ $3 == --end ]]; then
  send DELETE "$1" "$2" 15
  [[ $status == 2?? ]] || fail "the session could not be ended (HTTP $status)"
  exit
fi
[[ $3 =~ ^[A-Za-z0-9_.-]+$ ]] || usage
call "$@"
