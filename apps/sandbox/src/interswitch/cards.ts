import type { TestCard } from '../simulator.ts';

const approved = { steps: [], outcome: 'success', message: 'Approved by Financial Institution', refund: 'processed' } as const;
const verve = { brand: 'verve', cvv: '111', expiry: '06/32' } as const;

/**
 * Interswitch's test cards. The expiry of the first Verve card and of its failing variants, 06/26, is over: a later one is filled in.
 * Which steps a card takes is documented for Mastercard only; those of the others are ours, one of each kind.
 */
export const interswitchCards: readonly TestCard[] = [
  { ...approved, name: 'Verve', number: '5060990580000217499', cvv: '111', brand: 'verve', expiry: '03/50' },
  { ...approved, ...verve, name: 'Verve with PIN', number: '5061050254756707864', steps: ['pin'], pin: '1111' },
  {
    ...approved,
    name: 'Mastercard with PIN and OTP',
    number: '5123450000000008',
    cvv: '100',
    brand: 'mastercard',
    expiry: '01/39',
    steps: ['pin', 'otp'],
    pin: '1111',
    otp: '123456',
  },
  {
    ...approved,
    name: 'Visa with 3D Secure',
    number: '4000000000002503',
    cvv: '111',
    brand: 'visa',
    expiry: '03/50',
    steps: ['bank'],
  },
  {
    ...approved,
    ...verve,
    name: 'Insufficient funds',
    number: '5061050254756707866',
    outcome: 'failed',
    message: 'Insufficient Funds',
  },
  {
    ...approved,
    ...verve,
    name: 'Time-out',
    number: '5061050254756707865',
    outcome: 'failed',
    message: 'Issuer or Switch Inoperative',
  },
  {
    ...approved,
    ...verve,
    name: 'No record',
    number: '5061050254756707867',
    outcome: 'failed',
    message: 'No Record Found',
  },
];
