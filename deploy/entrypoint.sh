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
  migrate) exec node scripts/admin/main.ts database deploy ;;
  certify) shift && exec node packages/cli/src/main.ts certify "$@" ;;
  *) exec "$@" ;;
esac
