import { extendZodWithOpenApi } from '@asteasolutions/zod-to-openapi';
import { isDeeperThan } from '@switchyard/db';
import type { Mode } from '@switchyard/db/client';
import { ExactNumber, findExactNumber } from '@switchyard/db/exact-json';
import { gatewayNames } from '@switchyard/gateways';
import { PAYMENT_METHODS } from '@switchyard/routing';
import { EMAIL_ADDRESS } from '@switchyard/runtime/email-address';
import { z } from 'zod';
import { TOO_LONG } from './issues.ts';

const BYTES_MAX = 16 * 1024;
const LEVELS_MAX = 5;

/** The rule that a metadata object violates; null when it can be stored. */
function metadataProblem(value: object): string | null {
  if (isDeeperThan(value, LEVELS_MAX)) return `must be at most ${LEVELS_MAX} levels deep`;
  const inexact = findExactNumber(value);
  if (inexact !== null) return `must not contain a number that a double does not hold exactly (${inexact}): send it as text`;
  const text = JSON.stringify(value);
  if (Buffer.byteLength(text) > BYTES_MAX) return `must be at most ${BYTES_MAX} bytes`;
  if (hasUnstorableText(value)) return 'must not contain NUL or unpaired surrogates';
  return null;
}

function hasUnstorableText(value: unknown): boolean {
  if (typeof value === 'string') return value.includes('\0') || !value.isWellFormed();
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([name, inner]) => hasUnstorableText(name) || hasUnstorableText(inner));
}

/** ISO 3166-1 alpha-2, the 249 officially assigned codes. */
const COUNTRY_CODES: ReadonlySet<string> = new Set(
  (
    'AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY ' +
    'BZ CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK ' +
    'FM FO FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR ' +
    'IS IT JE JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ' +
    'ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM ' +
    'PN PR PS PT PW PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF ' +
    'TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW'
  ).split(' '),
);

extendZodWithOpenApi(z);

const AMOUNT_MAX = 1_000_000_000_000;
const ID_MAX = 128;
const PHONE_MAX = 32;
export const EMAIL_MAX = 254;
const URL_MAX = 2_048;

const clean = (text: string) => !text.includes('\0') && text.isWellFormed();
const CLEAN_RULE = 'must not contain NUL or unpaired surrogates';

/** Text of so many characters. Characters are Unicode code points, as in JSON Schema's `maxLength`. */
export const textOf = (min: 0 | 1, max: number) =>
  z
    .string()
    .min(min)
    .refine((text) => text.length <= max || [...text].length <= max, {
      error: `must be at most ${max} characters long`,
      ...TOO_LONG,
    })
    .refine(clean, CLEAN_RULE)
    .openapi({ maxLength: max });

export const id = () => textOf(1, ID_MAX);

/**
 * An amount in whole main units. A number that a double would round is judged as it is written: too large, or not whole.
 */
export const amount = () =>
  z
    .preprocess(
      (value) => (value instanceof ExactNumber && !Number.isSafeInteger(Number(value.source)) ? Number(value.source) : value),
      z.int().min(1).max(AMOUNT_MAX),
    )
    .openapi({ type: 'integer', minimum: 1, maximum: AMOUNT_MAX });

const METHOD_NAMES = [...PAYMENT_METHODS, 'BANK_TRANSFER'] as const;
const METHOD_RULE = `must be one of ${METHOD_NAMES.join(', ')}`;
/** Each name in any case of the letters A to Z. `toUpperCase` alone would take other letters too, such as the dotless ı for I. */
const METHOD_PATTERN = `^(?:${METHOD_NAMES.map(inAnyCase).join('|')})$`;
const METHOD = new RegExp(METHOD_PATTERN);

function inAnyCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `[${letter}${letter.toLowerCase()}]`);
}

const paymentMethod = z
  .string()
  .transform((text, refinement) => {
    const upper = METHOD.test(text) ? text.toUpperCase() : null;
    const method = upper === 'BANK_TRANSFER' ? 'TRANSFER' : PAYMENT_METHODS.find((known) => known === upper);
    if (method !== undefined) return method;
    refinement.addIssue({ code: 'custom', message: METHOD_RULE });
    return z.NEVER;
  })
  .openapi({
    type: ['string', 'null'],
    pattern: METHOD_PATTERN,
    description: `How the customer will pay; matches the smart routing rules. In any case, one of ${METHOD_NAMES.join(', ')}, which is TRANSFER.`,
    example: 'card',
  });

const redirectUrl = (mode: Mode) =>
  z
    .string()
    .refine((text) => [...text].length <= URL_MAX, { error: `must be at most ${URL_MAX} characters long`, ...TOO_LONG })
    .refine(isPlainWebAddress, 'must be an absolute URL without user info, spaces, control characters or backslashes')
    .refine((text) => mode === 'test' || !/^http:/i.test(text), 'must be an https URL')
    .openapi({
      maxLength: URL_MAX,
      // The format `uri` would refuse addresses with letters such as ö, which are taken.
      pattern: String.raw`^[hH][tT][tT][pP][sS]?://[^/?#@\\\s][^\\\s]*$`,
      description:
        'Where to send the customer after payment: an absolute address without user info; https, in test mode also http. Letters ' +
        'outside ASCII are encoded.',
      example: 'https://shop.example/thanks',
    });

/** True if every reader finds the same host in it: parsers differ about further slashes, backslashes and user info. */
function isPlainWebAddress(text: string): boolean {
  if (!clean(text) || /[\s\\\p{Cc}]/u.test(text) || !/^https?:\/\/[^/?#]/i.test(text) || !URL.canParse(text)) return false;
  const url = new URL(text);
  return url.username === '' && url.password === '' && !/^[a-z]+:\/\/[^/?#]*@/i.test(text);
}

function isEmptyList(value: unknown): value is readonly [] {
  return Array.isArray(value) && value.length === 0;
}

export function isPlainObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const customer = z.object({
  email: z.email({ pattern: EMAIL_ADDRESS, error: 'must be a valid e-mail address' }).max(EMAIL_MAX).openapi({
    description: "The customer's e-mail address: at most 64 characters before the @, and a domain of labels of at most 63.",
    example: 'ada@example.com',
  }),
  id: id().nullish().openapi({ description: "The merchant's own id of the customer." }),
  phone: textOf(0, PHONE_MAX).nullish().openapi({ description: "The customer's telephone number.", example: '+2348012345678' }),
});

const describeInitiateRequest = (mode: Mode) =>
  z.object({
    merchantOrderId: id().openapi({
      description: "The merchant's own reference; unique for every payment request.",
      example: 'ORD-1001',
    }),
    amount: amount().openapi({ description: 'Whole main currency units: 1000 is one thousand naira.', example: 2500 }),
    currency: z.literal('NGN', 'must be NGN').openapi({ description: 'ISO 4217 code; only NGN is supported.' }),
    customer,
    metadata: z
      // A record schema would drop the name `__proto__`, and metadata is stored unchanged.
      .custom<Readonly<Record<string, unknown>> | readonly []>(
        (value) => isPlainObject(value) || isEmptyList(value),
        'must be an object',
      )
      .superRefine((value, refinement) => {
        const problem = metadataProblem(value);
        if (problem !== null) refinement.addIssue({ code: 'custom', message: problem });
      })
      .transform((value): Readonly<Record<string, unknown>> => (isEmptyList(value) ? {} : value))
      .nullish()
      .openapi({
        type: ['object', 'array', 'null'],
        additionalProperties: true,
        maxItems: 0,
        description:
          'Free-form details; at most 16 KiB and 5 levels. Numbers that a double does not hold exactly are refused: send them as text. An ' +
          'empty list, as PHP writes an empty array, is an empty object.',
        example: { cartId: 'cart-1' },
      }),
    redirectUrl: redirectUrl(mode).nullish(),
    paymentMethod: paymentMethod.nullish(),
    customerCountry: z
      .string()
      .refine((code) => COUNTRY_CODES.has(code), 'must be an ISO 3166-1 alpha-2 country code')
      .nullish()
      .openapi({ pattern: '^[A-Z]{2}$', description: 'ISO 3166-1 alpha-2 code.', example: 'NG' }),
    requestedGateway: z
      .string()
      .refine((name) => gatewayNames.some((known) => known === name), `must be one of ${gatewayNames.join(', ')}`)
      .nullish()
      .openapi({
        enum: [...gatewayNames, null],
        description: 'An extension: a gateway to use instead of what the rules say.',
        example: gatewayNames[0],
      }),
  });

/** Body of `POST /v1/payments/initiate`, by the key's mode. */
export const initiateRequest = {
  test: describeInitiateRequest('test').openapi('InitiatePaymentRequest'),
  live: describeInitiateRequest('live'),
} as const;

/** Body of `POST /v1/payments/{paymentId}/verify`; may be left out. */
export const verifyRequest = z
  .object({
    transactionId: id()
      .nullish()
      .openapi({ description: "The gateway's own transaction id, for gateways that return one to the browser." }),
  })
  .openapi('VerifyPaymentRequest');

/** A validated body of `POST /v1/payments/initiate`. */
export type InitiateRequest = z.output<(typeof initiateRequest)['test']>;

/** A validated body of `POST /v1/payments/{paymentId}/verify`. */
export type VerifyRequest = z.output<typeof verifyRequest>;
