import { createTextPacker } from '@switchyard/db';
import { GATEWAY_TEXTS_1 } from '@switchyard/gateways/dictionaries';

/** Bodies of webhooks as gateways send them and we store them. */
export const DICTIONARY_1 = GATEWAY_TEXTS_1.map(({ webhook }) => webhook).join('\n');

const BODIES = createTextPacker('a webhook body', [DICTIONARY_1]);

/** Packs the body of a gateway's webhook. */
export function packBody(body: string): Buffer<ArrayBuffer> {
  return BODIES.pack(body);
}

/** The body of a stored webhook, empty where it was left out or erased. */
export function readBody({ packedBody }: { readonly packedBody: Uint8Array | null }): string {
  return packedBody === null ? '' : BODIES.unpack(packedBody);
}
