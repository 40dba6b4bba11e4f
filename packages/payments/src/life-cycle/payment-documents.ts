import { createTextPacker, type JsonWritable } from '@switchyard/db';
import { unpackDecision } from '@switchyard/rule-sets/store-inputs';

/** The gateways that were not used, and the session, as initiating a payment records them. */
export const DICTIONARY_1 = [
  String.raw`{"raw":{"id":,"merchantCode":"","payableCode":"","amount":,"code":"200","redirectUrl":"https://","customerId":"","reference":"sy","customerEmail":"","currencyCode":"566","paymentUrl":"https://"},"gateway":"interswitch"`,
  String.raw`{"raw":{"status":200,"message":"success","data":{"auth_url":null,"access_token":null,"merchant_info":{"merchant_response":null,"merchant_name":null,"merchant_logo":null,"merchant_id":""},"currency":"NGN","recurring":{"frequency":null,"duration":null,"type":0,"plan_code":null,"customer_name":null},"is_recurring":false,"plan_code":null,"callback_url":"https://","transaction_ref":"sy","transaction_memo":null,"transaction_amount":,"authorized_channels":["card","ussd","bank"],"checkout_url":"https://"}},"gateway":"squad"`,
  String.raw`{"raw":{"status":true,"message":"Charge created successfully","data":{"reference":"sy","checkout_url":"https://"}},"gateway":"kora"`,
  String.raw`{"raw":{"requestSuccessful":true,"responseMessage":"success","responseCode":"0","responseBody":{"transactionReference":"MNFY|","paymentReference":"sy","merchantName":"","apiKey":"","redirectUrl":"https://","enabledPaymentMethod":["ACCOUNT_TRANSFER","CARD"],"checkoutUrl":"https://","incomeSplitConfig":[],"metaData":{}}},"gateway":"monnify"`,
  String.raw`[{"name":"interswitch","reason":"plan-fallback"},{"name":"monnify","reason":"plan-fallback"},{"name":"squad","reason":"plan-fallback"},{"name":"kora","reason":"plan-fallback"},{"name":"paystack","reason":"plan-fallback"},{"name":"flutterwave","reason":"plan-fallback"}]`,
  String.raw`{"raw":{"status":"success","message":"Hosted Link","data":{"link":"https://checkout.flutterwave.com/v3/hosted/pay/"}},"gateway":"flutterwave"`,
  String.raw`[{"name":"flutterwave","reason":"plan-fallback"}]
{"raw":{"status":true,"message":"Authorization URL created","data":{"authorization_url":"https://checkout.paystack.com/","access_code":"","reference":"sy00"}},"gateway":"paystack","reference":"sy00","accessCode":"","redirectUrl":"https://checkout.paystack.com/","metadata":{"mode":"test","mode":"live","paymentId":"","merchantId":"","callbackUrl":"https:///checkout//return","redirectUrl":"https:///checkout/","merchantOrderId":"","referencePrefix":"","fallbackGateways":[{"name":"paystack","reason":"plan-fallback"}]}}`,
].join('\n');

const SESSIONS = createTextPacker('a session', [DICTIONARY_1]);

/** The payment that a session is of: it names it several times. */
type PaymentKey = Pick<DocumentColumns, 'merchantId' | 'paymentId'>;
type SessionTexts = Readonly<Record<'session' | 'fallbackGateways', string>>;

/** The documented `session` and `fallbackGateways` of an open payment as they are stored: two JSON texts without line breaks of their own. */
export function packSession(key: PaymentKey, session: JsonWritable, fallbackGateways: JsonWritable): Buffer {
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

/** Columns of a payment that hold its documents. What is not packed counts: earlier versions wrote it, beside what this one packed. */
export interface DocumentColumns {
  readonly merchantId: string;
  readonly paymentId: string;
  readonly routing: JsonWritable;
  readonly session: JsonWritable;
  readonly fallbackGateways: JsonWritable;
  readonly packedDecision: Uint8Array | null;
  readonly packedSession: Uint8Array | null;
}

/** The documents of a payment's row, unpacked when they are read: most of what reads a payment answers none. */
export class StoredDocuments implements PaymentDocuments {
  private readonly columns: DocumentColumns;
  private unpacked: SessionTexts | undefined;

  constructor(columns: DocumentColumns) {
    this.columns = columns;
  }

  get routing(): JsonWritable {
    const { routing, packedDecision } = this.columns;
    if (routing !== null || packedDecision === null) return routing;
    return JSON.parse(unpackDecision(packedDecision).routing);
  }

  get session(): JsonWritable {
    const { session, packedSession } = this.columns;
    if (session !== null || packedSession === null) return session;
    this.unpacked ??= unpackSession(this.columns, packedSession);
    return JSON.parse(this.unpacked.session);
  }

  get fallbackGateways(): JsonWritable {
    const { fallbackGateways, packedSession } = this.columns;
    if (fallbackGateways !== null || packedSession === null) return fallbackGateways ?? [];
    this.unpacked ??= unpackSession(this.columns, packedSession);
    return JSON.parse(this.unpacked.fallbackGateways);
  }
}
