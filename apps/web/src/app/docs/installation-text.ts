import { SAMPLE_URL, SANDBOX_SAMPLE_URL } from './_content/samples/languages.ts';

/** Address of the sandbox that runs beside this installation; null where there is none. */
export function sandboxUrl(): string | null {
  return process.env.SWITCHYARD_SANDBOX_URL || null;
}

/** Text with the addresses of this installation, at `base`, and of its sandbox in place of the ones that samples are written with. */
export function installationText(text: string, base: string): string {
  return text.replaceAll(SAMPLE_URL, base).replaceAll(SANDBOX_SAMPLE_URL, sandboxUrl() ?? '$SANDBOX_URL');
}
