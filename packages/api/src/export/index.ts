export { handleExport } from './handle.ts';
