export { endOverride } from './end-override.ts';
export { listOverridesWithin } from './queries.ts';
export { setOverride } from './set-override.ts';
