export { endOverride } from './end-override.ts';
export { setOverride } from './set-override.ts';
