import type { TestCard } from '../simulator.ts';

const approved = {
  steps: [],
  outcome: 'success',
  message: 'Approved',
  refund: 'processed',
  expiry: '12/30',
  cvv: null,
} as const;

/** Squad's test cards. It documents numbers and steps; PIN and one-time code are the simulator's own. */
export const squadCards: readonly TestCard[] = [
  { ...approved, name: 'Success', number: '5200000000000007', brand: 'mastercard' },
  // Squad's sandbox takes this one for less than NGN 7,500 only.
  { ...approved, name: 'Success with OTP', number: '4242424242424242', brand: 'visa', steps: ['otp'], otp: '123456' },
  { ...approved, name: 'Success with 3D Secure', number: '5200000000001096', brand: 'mastercard', steps: ['bank'] },
  {
    ...approved,
    name: 'Success with PIN and OTP',
    number: '5555555555554444',
    brand: 'mastercard',
    steps: ['pin', 'otp'],
    pin: '1234',
    otp: '123456',
  },
  // Squad documents no card that is declined; this one is the simulator's own.
  {
    ...approved,
    name: 'Declined',
    number: '4000000000000002',
    brand: 'visa',
    outcome: 'failed',
    message: 'Do not honour',
  },
];
