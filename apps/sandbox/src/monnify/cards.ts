import type { TestCard } from '../simulator.ts';

const approved = {
  steps: [],
  outcome: 'success',
  message: 'Approved',
  refund: 'processed',
  expiry: '10/27',
  cvv: '123',
} as const;

/** Monnify's test cards; any expiry in the future is taken. */
export const monnifyCards: readonly TestCard[] = [
  { ...approved, name: 'Success without OTP', number: '4111111111111111', brand: 'visa' },
  {
    ...approved,
    name: 'Success with PIN and OTP',
    number: '5060995994247093',
    expiry: '12/27',
    brand: 'verve',
    steps: ['pin', 'otp'],
    pin: '1234',
    otp: '123456',
  },
  { ...approved, name: 'Success with 3D Secure', number: '4000000000000002', expiry: '12/27', brand: 'visa', steps: ['bank'] },
  {
    ...approved,
    name: 'Declined',
    number: '4111111111111110',
    brand: 'visa',
    outcome: 'failed',
    message: 'Transaction declined',
  },
];
