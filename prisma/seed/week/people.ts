import type { Random } from './random.ts';

const FIRST = `Adaeze Adebayo Aisha Amaka Bola Chidi Chioma Chukwudi Damilola Ebuka Efe Emeka Fatima Folake Funmi Habiba Ibrahim
  Ifeoma Ikenna Jumoke Kelechi Kemi Kunle Musa Ngozi Nkechi Obinna Ola Rotimi Sade Segun Simi Temitope Tobi Tunde Uche Uzoma Wale
  Yetunde Yusuf Zainab`.split(/\s+/);
const LAST =
  `Abubakar Adeleke Adeyemi Afolabi Akande Bakare Balogun Bello Danjuma Ekwueme Eze Ibe Igwe Lawal Mohammed Nnamdi Nwosu
  Obi Odukoya Ogunleye Okafor Okeke Okonkwo Oladipo Olawale Onyeka Sanni Suleiman Umar Williams`.split(/\s+/);

/** A customer. */
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
