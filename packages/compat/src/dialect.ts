/** Gateways whose API is answered in their own form. */
export const DIALECTS = ['paystack', 'flutterwave'] as const;

/** A gateway's way of speaking: its fields, its units, its errors. */
export type Dialect = (typeof DIALECTS)[number];

/** An HTTP answer in a dialect; the body is JSON text. */
export interface DialectAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}
