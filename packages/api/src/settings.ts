export { readSettings, SETTINGS } from '@switchyard/runtime/settings';
