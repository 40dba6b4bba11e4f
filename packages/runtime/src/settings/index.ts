export { checkSettings, type Environment, EnvironmentError, readSettings } from './read-settings.ts';
export { descriptions, SETTINGS } from './settings.ts';
