/** The error codes of every gateway, without its connector. */

import type { ErrorCode } from './error-code.ts';
import type { GatewayName } from './facts.ts';
import { errorCodes as flutterwave } from './flutterwave/error-codes.ts';
import { errorCodes as interswitch } from './interswitch/error-codes.ts';
import { errorCodes as kora } from './kora/error-codes.ts';
import { errorCodes as monnify } from './monnify/error-codes.ts';
import { errorCodes as nomba } from './nomba/error-codes.ts';
import { errorCodes as paystack } from './paystack/error-codes.ts';
import { errorCodes as squad } from './squad/error-codes.ts';

export { type ErrorCode, type ErrorMeaning, errorMeanings, OTHER_WORDS } from './error-code.ts';

/** Codes by gateway, each once. */
export const ERROR_CODES: Readonly<Record<GatewayName, readonly ErrorCode[]>> = {
  paystack,
  flutterwave,
  monnify,
  squad,
  kora,
  interswitch,
  nomba,
};

/** The file that has a gateway's codes: a change of what one means is a change of it. */
export function errorCodesFile(gateway: GatewayName): string {
  return `packages/gateways/src/${gateway}/error-codes.ts`;
}

/** True if a gateway's table has the code. */
export function isKnownErrorCode(gateway: string, code: string): boolean {
  const codes: readonly ErrorCode[] | undefined = Object.hasOwn(ERROR_CODES, gateway)
    ? ERROR_CODES[gateway as GatewayName]
    : undefined;
  return codes?.some((one) => one.code === code) === true;
}
