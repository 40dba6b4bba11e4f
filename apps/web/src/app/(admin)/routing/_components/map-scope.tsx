'use client';

import { useQueryStates } from 'nuqs';
import { countriesOf, currenciesOf } from '../_rules/coverage.ts';
import type { Account, RuleDocument } from '../_rules/document.ts';
import { mapParsers } from '../address.ts';
import classes from './map-scope.module.css';

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
    <div className={classes.scope}>
      {currencies.length > 1 && (
        <label>
          Currency{' '}
          <select value={currency} onChange={(event) => void setAsked({ currency: event.currentTarget.value })}>
            {currencies.map((each) => (
              <option key={each}>{each}</option>
            ))}
          </select>
        </label>
      )}
      {countries.length > 0 && (
        <label>
          Customers from{' '}
          <select value={country ?? ''} onChange={(event) => void setAsked({ country: event.currentTarget.value || null })}>
            <option value="">any other country</option>
            {countries.map((each) => (
              <option key={each}>{each}</option>
            ))}
          </select>
        </label>
      )}
    </div>
  );
}
