#!/bin/sh
# Starts one role of the image. `exec` leaves Node as the only process, which receives the signals.
set -eu
root=$(dirname "$(dirname "$(readlink -f "$0")")")
cd "$root"
role=${1:-web}
case "$role" in
  web) cd apps/web && exec node server.ts ;;
  worker) cd apps/worker && exec node src/main.ts ;;
  reporting) cd apps/reporting && exec node src/main.ts ;;
  migrate) exec node scripts/db-deploy.ts ;;
  keys:rotate) shift && exec node scripts/rotate-keys.ts "$@" ;;
  owner:create) shift && exec node scripts/create-owner.ts "$@" ;;
  reports:check) exec node scripts/reports.ts check ;;
  reports:rebuild) exec node scripts/reports.ts rebuild ;;
  *) exec "$@" ;;
esac
