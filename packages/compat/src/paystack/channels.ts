import type { PaymentMethod } from '@switchyard/routing';

/** Paystack's names of the payment methods. */
export const CHANNELS: Readonly<Record<string, PaymentMethod>> = {
  card: 'CARD',
  bank: 'BANK',
  bank_transfer: 'TRANSFER',
  ussd: 'USSD',
  qr: 'QR',
  mobile_money: 'MOBILE_MONEY',
  direct_debit: 'DIRECT_DEBIT',
};

const NAMES = new Map<string, string>(Object.entries(CHANNELS).map(([channel, method]) => [method, channel]));

/** Paystack's name of a payment method; null for one it has none for. */
export function channelOf(method: string | null): string | null {
  return method === null ? null : (NAMES.get(method) ?? null);
}
