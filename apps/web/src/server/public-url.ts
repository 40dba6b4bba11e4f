import { processSwitchyard } from './native/process.ts';

/** Public base URL, as merchants reach it, without a trailing slash. */
export function publicUrl(): string {
  return processSwitchyard().resources.publicUrl;
}
