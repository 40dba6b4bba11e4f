import { processSwitchyard } from '@switchyard/api/process';

/** Our own address as merchants reach it, without a trailing slash. */
export function publicUrl(): string {
  return processSwitchyard().resources.publicUrl;
}
