#!/bin/sh
# Starts one role of the image. `exec` leaves Node as the only process, which receives the signals.
set -eu
root=$(dirname "$(dirname "$(readlink -f "$0")")")
cd "$root"
# As for `npm start` (scripts/stack/settings.ts): docs/decisions/memory.md. What the environment says counts more.
export NODE_OPTIONS="--max-semi-space-size=8 ${NODE_OPTIONS:-}" MALLOC_ARENA_MAX="${MALLOC_ARENA_MAX:-2}"
# Filled by `npm run compile` where it cannot be written.
export NODE_COMPILE_CACHE="${NODE_COMPILE_CACHE:-$root/.local/compile-cache}"
role=${1:-web}
case "$role" in
  web) cd apps/web && exec node server.ts ;;
  worker) cd apps/worker && exec node src/main.ts ;;
  reporting) cd apps/reporting && exec node src/main.ts ;;
  migrate) exec node scripts/db-deploy.ts ;;
  db:distribute) shift && exec node scripts/db-distribute.ts "$@" ;;
  keys:rotate) shift && exec node scripts/rotate-keys.ts "$@" ;;
  owner:create) shift && exec node scripts/create-owner.ts "$@" ;;
  backup:archive) shift && exec node scripts/backup.ts archive "$@" ;;
  backup:base) shift && exec node scripts/backup.ts base "$@" ;;
  backup:prune) shift && exec node scripts/backup.ts prune "$@" ;;
  backup:restore) shift && exec node scripts/backup.ts restore "$@" ;;
  certify) shift && exec node packages/cli/src/main.ts certify "$@" ;;
  check-rules) shift && exec node scripts/check-rules.ts "$@" ;;
  audit:verify) shift && exec node scripts/audit.ts verify "$@" ;;
  audit:key) exec node scripts/audit.ts key ;;
  decisions:verify) shift && exec node scripts/decisions.ts "$@" ;;
  customer:export) shift && exec node scripts/customer.ts export "$@" ;;
  customer:erase) shift && exec node scripts/customer.ts erase "$@" ;;
  reports:check) exec node scripts/reports.ts check ;;
  reports:rebuild) exec node scripts/reports.ts rebuild ;;
  *) exec "$@" ;;
esac
