export { handleMcp } from './handle.ts';
