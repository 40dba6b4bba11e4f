import type { TestCard } from '../simulator.ts';

const approved = { steps: [], outcome: 'success', message: 'Approved', refund: 'processed', expiry: '12/30' } as const;

/** Paystack's documented test cards; any expiry in the future is taken. */
export const paystackCards: readonly TestCard[] = [
  { ...approved, name: 'Success', number: '4084084084084081', cvv: '408', brand: 'visa' },
  {
    ...approved,
    name: 'Success with PIN',
    number: '507850785078507812',
    cvv: '081',
    brand: 'verve',
    steps: ['pin'],
    pin: '1111',
  },
  {
    ...approved,
    name: 'Success with PIN and OTP',
    number: '5060666666666666666',
    cvv: '123',
    brand: 'verve',
    steps: ['pin', 'otp'],
    pin: '1234',
    otp: '123456',
  },
  {
    ...approved,
    name: 'Success with PIN, phone and OTP',
    number: '507850785078507804',
    cvv: '884',
    brand: 'verve',
    steps: ['pin', 'otp'],
    pin: '0000',
    otp: '123456',
  },
  { ...approved, name: 'Bank authentication', number: '5192602720584796', cvv: '123', brand: 'mastercard', steps: ['bank'] },
  {
    ...approved,
    name: 'Declined',
    number: '4084080000005408',
    cvv: '001',
    brand: 'visa',
    outcome: 'failed',
    message: 'Declined',
  },
  {
    ...approved,
    name: 'Insufficient funds',
    number: '4084080000670037',
    cvv: '787',
    brand: 'visa',
    outcome: 'failed',
    message: 'Insufficient Funds',
  },
  {
    ...approved,
    name: 'No token',
    number: '507850785078507853',
    cvv: '082',
    brand: 'verve',
    outcome: 'failed',
    message: 'Token Not Generated. Customer Not Registered on Token Platform',
  },
  { ...approved, name: 'Success, refund fails', number: '4084080000671803', cvv: '180', brand: 'visa', refund: 'failed' },
  {
    ...approved,
    name: 'Success, refund needs attention',
    number: '4084080000671902',
    cvv: '190',
    brand: 'visa',
    refund: 'needs-attention',
  },
];
