#!/bin/sh
# Which Dutch men fit into a bed of 1,900 mm? A sleeper needs the stature and 100 mm.
set -eu
: "${VITRUVIA_URL:=http://127.0.0.1:3000}"

ask() {
  curl --silent --fail-with-body "$VITRUVIA_URL$1" \
    --header "Authorization: Bearer $VITRUVIA_API_KEY" \
    --header 'Content-Type: application/json' --data "$2" || {
    # 22: the service refused, and curl has printed why.
    [ $? -eq 22 ] || echo "There was no complete answer from $VITRUVIA_URL. Start the service, or give its address." >&2
    exit 1
  }
  echo
}

# The share of men from 18 to 75 whose stature is at most 1,800 mm.
ask /v1/population/share '{
  "population": {"groups": [{"countries": ["NL"], "gender": "Male", "ageMin": 18, "ageMax": 75}]},
  "limits": [{"measurement": "Stature", "max": 1800}]
}'
# How tall is a man of 30 years at the 95th percentile?
ask /v1/predict '{"measurement": "Stature", "gender": "Male", "age": 30, "percentile": 95, "country": "NL"}'
