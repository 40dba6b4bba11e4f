'use client';

import { useQueryStates } from 'nuqs';
import { mapParsers } from '#/app/(admin)/routing/address.ts';
import { Select } from '#/components/select/select.tsx';
import type { Account, RuleDocument } from '../rules/document.ts';
import { countriesOf, currenciesOf } from './coverage.ts';

/** The currency and the customers' country that the map is drawn for, from the address; unknown values count as none. */
export function useMapScope(document: RuleDocument, accounts: readonly Account[]) {
  const [asked, setAsked] = useQueryStates(mapParsers);
  const currencies = currenciesOf(document.rules, accounts);
  const currency = currencies.find((each) => each === asked.currency) ?? currencies[0] ?? 'NGN';
  const countries = countriesOf(document.rules, currency);
  const country = countries.find((each) => each === asked.country) ?? null;
  return { currency, currencies, country, countries, setAsked };
}

/** Chooses what the map is drawn for; left out where there is nothing to choose. */
export function MapScope({ currency, currencies, country, countries, setAsked }: ReturnType<typeof useMapScope>) {
  if (currencies.length < 2 && countries.length === 0) return null;
  return (
    <div className="flex flex-wrap gap-x-4 gap-y-2 mb-2">
      {currencies.length > 1 && (
        <Select
          label="Currency"
          labelPlace="inside"
          options={currencies.map((value) => ({ value, label: value }))}
          value={currency}
          onChange={(next) => void setAsked({ currency: next })}
        />
      )}
      {countries.length > 0 && (
        <Select
          label="Customers from"
          labelPlace="inside"
          options={[{ value: '', label: 'any other country' }, ...countries.map((value) => ({ value, label: value }))]}
          value={country ?? ''}
          onChange={(next) => void setAsked({ country: next === '' ? null : next })}
        />
      )}
    </div>
  );
}
