import { createTextPacker, type JsonWritable } from '@switchyard/db';
import { GATEWAY_TEXTS_1 } from '@switchyard/gateways/dictionaries';

/** Calls as the connectors record them. */
export const DICTIONARY_1 = GATEWAY_TEXTS_1.map(({ call }) => call).join('\n');

const CALLS = createTextPacker('a recorded call', [DICTIONARY_1]);

/** Packs a recorded call: a kilobyte of JSON, of which nearly everything stands in each. */
export function packCall(call: JsonWritable): Buffer<ArrayBuffer> {
  return CALLS.pack(JSON.stringify(call));
}

/** The recorded call of an attempt, null without one. Throws for what {@link packCall} has not packed. */
export function readCall({ packedCall }: { readonly packedCall: Uint8Array | null }): unknown {
  return packedCall === null ? null : JSON.parse(CALLS.unpack(packedCall));
}
