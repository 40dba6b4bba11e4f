import type { TestCard } from '../simulator.ts';

const approved = { steps: [], outcome: 'success', message: 'Successful', refund: 'processed', expiry: '09/30' } as const;

/** Kora's documented test cards, then cards of the sandbox's own for what the documentation has none for. */
export const koraCards: readonly TestCard[] = [
  { ...approved, name: 'Success', number: '4084127883172787', cvv: '123', brand: 'visa' },
  {
    ...approved,
    name: 'Success with PIN',
    number: '5130000052131820',
    cvv: '419',
    expiry: '12/32',
    brand: 'mastercard',
    steps: ['pin'],
    pin: '0000',
  },
  // From here on the numbers are the sandbox's own.
  {
    ...approved,
    name: 'Success with PIN and OTP',
    number: '5060665000000006',
    cvv: '123',
    brand: 'verve',
    steps: ['pin', 'otp'],
    pin: '1234',
    otp: '123456',
  },
  { ...approved, name: 'Success with 3D Secure', number: '5399665000000032', cvv: '123', brand: 'mastercard', steps: ['bank'] },
  {
    ...approved,
    name: 'Declined',
    number: '4060665000000017',
    cvv: '123',
    brand: 'visa',
    outcome: 'failed',
    message: 'Transaction declined by issuer',
  },
  {
    ...approved,
    name: 'Insufficient funds',
    number: '4060665000000025',
    cvv: '123',
    brand: 'visa',
    outcome: 'failed',
    message: 'Insufficient funds',
  },
  { ...approved, name: 'Success, refund fails', number: '4060665000000041', cvv: '123', brand: 'visa', refund: 'failed' },
];
