import type { TestCard } from '../simulator.ts';

const approved = {
  steps: [],
  outcome: 'success',
  message: 'Approved',
  refund: 'processed',
  expiry: '09/32',
  brand: 'mastercard',
} as const;

/** Flutterwave's test cards; any expiry in the future is taken, and any CVV where none is documented. */
export const flutterwaveCards: readonly TestCard[] = [
  {
    ...approved,
    name: 'Success with PIN and OTP',
    number: '5531886652142950',
    cvv: '564',
    steps: ['pin', 'otp'],
    pin: '3310',
    otp: '12345',
  },
  { ...approved, name: 'Success, Verve without challenge', number: '5061460166976054667', cvv: null, brand: 'verve' },
  { ...approved, name: 'Success with 3D Secure', number: '5438898014560229', cvv: null, steps: ['bank'] },
  { ...approved, name: 'Success with 3D Secure, Visa', number: '4187427415564246', cvv: '828', brand: 'visa', steps: ['bank'] },
  {
    ...approved,
    name: 'Success with address check',
    number: '4556052704172643',
    cvv: '899',
    brand: 'visa',
    steps: ['address'],
  },
  { ...approved, name: 'Success, preauthorised', number: '5377283645077450', cvv: null },
  {
    ...approved,
    name: 'Declined',
    number: '5143010522339965',
    cvv: '276',
    outcome: 'failed',
    message: 'Do Not Honour',
  },
  {
    ...approved,
    name: 'Insufficient funds',
    number: '5258585922666506',
    cvv: '883',
    steps: ['pin'],
    pin: '3310',
    outcome: 'failed',
    message: 'Insufficient Funds',
  },
];
