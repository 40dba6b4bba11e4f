import type { PaymentMethod } from '@switchyard/routing';
import type { Random } from './random.ts';

/** The trade profile of a merchant. */
export interface Profile {
  readonly merchantNumber: string;
  readonly orderPrefix: string;
  /** Payments on an ordinary day. */
  readonly perDay: number;
  readonly customers: number;
  /** Factor of sales on the Friday evening of the sale. */
  readonly rush: number;
  /** Amounts in naira: the median, and the spread (deviation of the logarithm). */
  readonly medianAmount: number;
  readonly spread: number;
  readonly leastAmount: number;
  readonly mostAmount: number;
  /** Amounts are multiples of it. */
  readonly step: number;
  /** Shares of payments; what is left to 1 are payments without a method. */
  readonly methods: Readonly<Partial<Record<PaymentMethod, number>>>;
  /** Weight of each hour of the day in Lagos, 0 to 23. */
  readonly hours: readonly number[];
  /** Weight of each day, Sunday first. */
  readonly days: readonly number[];
}

const shop = [2, 1, 0.6, 0.4, 0.5, 1, 2.5, 5, 8, 10, 12, 13, 14, 13, 12, 11, 11, 12, 13, 14, 12, 9, 6, 3.5];
const kitchen = [1.5, 0.7, 0.3, 0.2, 0.2, 0.4, 1.5, 4, 6, 5, 6, 11, 17, 16, 9, 6, 6, 9, 15, 19, 18, 12, 7, 3];
const office = [0.3, 0.2, 0.1, 0.1, 0.2, 0.6, 3, 8, 13, 15, 15, 13, 10, 10, 11, 10, 8, 5, 3, 3, 3, 2, 1.2, 0.6];

export const PROFILES: readonly Profile[] = [
  {
    merchantNumber: 'M-100001',
    orderPrefix: 'BSF',
    perDay: 152,
    customers: 1_400,
    rush: 16,
    medianAmount: 9_500,
    spread: 0.85,
    leastAmount: 800,
    mostAmount: 400_000,
    step: 50,
    methods: { CARD: 0.6, TRANSFER: 0.27, USSD: 0.08, BANK: 0.02 },
    hours: shop,
    days: [0.7, 0.95, 0.95, 1, 1.05, 1.25, 1.3],
  },
  {
    merchantNumber: 'M-100002',
    orderPrefix: 'LGK',
    perDay: 108,
    customers: 700,
    rush: 6,
    medianAmount: 6_400,
    spread: 0.55,
    leastAmount: 1_500,
    mostAmount: 90_000,
    step: 100,
    methods: { CARD: 0.64, TRANSFER: 0.29, USSD: 0.04, QR: 0.03 },
    hours: kitchen,
    days: [1.1, 0.8, 0.85, 0.9, 1, 1.35, 1.3],
  },
  {
    merchantNumber: 'M-100003',
    orderPrefix: 'YGH',
    perDay: 46,
    customers: 520,
    rush: 3,
    medianAmount: 46_000,
    spread: 1,
    leastAmount: 2_500,
    mostAmount: 1_800_000,
    step: 500,
    methods: { CARD: 0.48, TRANSFER: 0.45, BANK: 0.07 },
    hours: shop,
    days: [0.6, 1, 1, 1, 1.05, 1.15, 1.2],
  },
  {
    merchantNumber: 'M-100004',
    orderPrefix: 'BPS',
    perDay: 27,
    customers: 340,
    rush: 1,
    medianAmount: 118_000,
    spread: 0.6,
    leastAmount: 15_000,
    mostAmount: 950_000,
    step: 1_000,
    methods: { TRANSFER: 0.68, CARD: 0.24, BANK: 0.08 },
    hours: office,
    days: [0.25, 1.35, 1.2, 1.1, 1.1, 1.1, 0.5],
  },
];

const FIRST = `Adaeze Adebayo Aisha Amaka Bola Chidi Chioma Chukwudi Damilola Ebuka Efe Emeka Fatima Folake Funmi Habiba Ibrahim
  Ifeoma Ikenna Jumoke Kelechi Kemi Kunle Musa Ngozi Nkechi Obinna Ola Rotimi Sade Segun Simi Temitope Tobi Tunde Uche Uzoma Wale
  Yetunde Yusuf Zainab`.split(/\s+/);
const LAST =
  `Abubakar Adeleke Adeyemi Afolabi Akande Bakare Balogun Bello Danjuma Ekwueme Eze Ibe Igwe Lawal Mohammed Nnamdi Nwosu
  Obi Odukoya Ogunleye Okafor Okeke Okonkwo Oladipo Olawale Onyeka Sanni Suleiman Umar Williams`.split(/\s+/);

export interface Customer {
  readonly email: string;
  readonly id: string | null;
  readonly phone: string | null;
}

/** A merchant's customers: those at the front of the list buy more often. */
export function customersOf(random: Random, count: number): readonly [Customer, ...Customer[]] {
  const [first, ...others] = Array.from({ length: count }, (_, index) => customer(random, index));
  return [first ?? customer(random, 0), ...others];
}

function customer(random: Random, index: number): Customer {
  const first = nameOf(random, FIRST);
  const last = nameOf(random, LAST);
  const digits = random.chance(0.35) ? String(random.int(2, 99)) : '';
  return {
    email: `${first}.${last}${digits}@example.com`.toLowerCase(),
    id: random.chance(0.8) ? `cus_${String(10_000 + index * 7)}` : null,
    phone: random.chance(0.6) ? `+23480${random.text(8, '0123456789')}` : null,
  };
}

function nameOf(random: Random, names: readonly string[]): string {
  return names[random.int(0, names.length - 1)] ?? 'Ada';
}
