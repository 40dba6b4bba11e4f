import { createTextPacker, type JsonWritable } from '@switchyard/db';
import { GATEWAY_TEXTS_1 } from '@switchyard/gateways/dictionaries';
import { unpackDecision } from '@switchyard/rule-sets/store-inputs';

/** The gateways that were not used, and the session, as initiating a payment records them. */
export const DICTIONARY_1 = [
  JSON.stringify(GATEWAY_TEXTS_1.map(({ gateway }) => ({ name: gateway, reason: 'plan-fallback' }))),
  ...GATEWAY_TEXTS_1.map(({ session }) => session),
].join('\n');

const SESSIONS = createTextPacker('a session', [DICTIONARY_1]);

/** The payment that a session is of: it names it several times. */
type PaymentKey = Pick<DocumentColumns, 'merchantId' | 'paymentId'>;
type SessionTexts = Readonly<Record<'session' | 'fallbackGateways', string>>;

/**
 * The documented `session`, null while no gateway has opened one, and `fallbackGateways` of a payment as they are stored: two JSON texts
 * without line breaks of their own.
 */
export function packSession(key: PaymentKey, session: JsonWritable, fallbackGateways: JsonWritable): Buffer<ArrayBuffer> {
  return SESSIONS.pack(`${JSON.stringify(fallbackGateways)}\n${JSON.stringify(session)}`, knownOf(key));
}

/** Both texts of what {@link packSession} has packed. */
export function unpackSession(key: PaymentKey, packed: Uint8Array): SessionTexts {
  const [fallbackGateways = '', session = ''] = SESSIONS.unpack(packed, knownOf(key)).split('\n');
  return { session, fallbackGateways };
}

/** Ids as a session has them. It must never change. */
export function knownOf({ merchantId, paymentId }: PaymentKey): string {
  return `${merchantId}sy${paymentId.replaceAll('-', '')}${paymentId}`;
}

/** Documented parts of a payment about its decision and its checkout. */
export interface PaymentDocuments {
  readonly routing: JsonWritable;
  /** Null while no gateway has opened one. */
  readonly session: JsonWritable;
  /** Planned and not used. */
  readonly fallbackGateways: JsonWritable;
}

/** Columns of a payment that hold its documents. */
export interface DocumentColumns {
  readonly merchantId: string;
  readonly paymentId: string;
  readonly packedDecision: Uint8Array;
  readonly packedSession: Uint8Array;
}

/** The documents of a payment's row, unpacked when they are read: most of what reads a payment answers none. */
export class StoredDocuments implements PaymentDocuments {
  private readonly columns: DocumentColumns;
  private unpacked: SessionTexts | undefined;

  constructor(columns: DocumentColumns) {
    this.columns = columns;
  }

  get routing(): JsonWritable {
    return JSON.parse(unpackDecision(this.columns.packedDecision).routing);
  }

  get session(): JsonWritable {
    return JSON.parse(this.texts().session);
  }

  get fallbackGateways(): JsonWritable {
    return JSON.parse(this.texts().fallbackGateways);
  }

  private texts(): SessionTexts {
    this.unpacked ??= unpackSession(this.columns, this.columns.packedSession);
    return this.unpacked;
  }
}
