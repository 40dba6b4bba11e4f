import { processSwitchyard } from './native/process.ts';

/** Our own address as merchants reach it, without a trailing slash. */
export function publicUrl(): string {
  return processSwitchyard().resources.publicUrl;
}
