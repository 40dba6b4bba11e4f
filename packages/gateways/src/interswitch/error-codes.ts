import { byWords, type ErrorCode, type ErrorMeaning } from '../error-code.ts';
import { responseCodes } from './response-codes.ts';
import { certification } from './settings.ts';

const { errors, refund } = certification.sections;

/** Response codes of a fault that is no refusal of the customer's try. */
const MEANINGS: Readonly<Record<string, ErrorMeaning>> = {
  '03': 'ours',
  '06': 'theirs',
  '12': 'ours',
  '13': 'ours',
  '22': 'theirs',
  '30': 'ours',
  '40': 'ours',
  '90': 'theirs',
  '91': 'theirs',
  '92': 'theirs',
  '94': 'ours',
  '96': 'theirs',
  '99': 'theirs',
  '20031': 'ours',
  A3: 'theirs',
  E42: 'theirs',
  E53: 'theirs',
  E60: 'theirs',
  X04: 'ours',
  XG0: 'ours',
  XGO: 'ours',
  XG2: 'ours',
  XNA: 'ours',
  Z3: 'ours',
  Z4: 'ours',
  Z5: 'ours',
  Z7: 'ours',
  Z15: 'theirs',
  Z16: 'theirs',
  Z80: 'theirs',
  Z81: 'ours',
  Z82: 'ours',
};

/** States in which a payment was refused, or that leave it open. */
const FAILED = ['declined', 'error', 'wrong_merchant', 'undecided'];

/** Interswitch's response codes that are no approval and no step on the way to paying. */
export const errorCodes: readonly ErrorCode[] = [
  byWords('Duplicate reference', /duplicate|already (exists|been used)/i, 'ours', refund),
  ...Object.entries(responseCodes).flatMap(([code, [state, words]]): ErrorCode[] => {
    if (!FAILED.includes(state)) return [];
    return [{ code, words, meaning: MEANINGS[code] ?? (state === 'declined' ? 'declined' : 'unknown'), section: errors }];
  }),
];
