import { IconBuildingStore, IconSwitchHorizontal } from '@tabler/icons-react';
import { hrefIn, MODE_COOKIE, type Scope } from '#/scope/scope.ts';
import { rememberInCookie } from '../remember.ts';
import { pathInOtherScope } from '../scope/path-in-other-scope.ts';
import type { Command } from './commands.ts';

interface MerchantName {
  readonly merchantId: string;
  readonly name: string;
  readonly merchantNumber: string;
}

const LISTED_WITHOUT_SEARCH_MAX = 5;

/** The same page for another merchant, or in the other mode. Of many merchants none is listed until something is typed. */
export function scopeCommands(scope: Scope, merchants: readonly MerchantName[], typed: boolean): Command[] {
  const other = scope.mode === 'live' ? 'test' : 'live';
  const shown = typed || merchants.length <= LISTED_WITHOUT_SEARCH_MAX ? merchants : [];
  const show = (to: Scope) => window.location.assign(hrefIn(to, pathInOtherScope(window.location.pathname)));
  return [
    {
      id: `mode:${other}`,
      label: other === 'live' ? 'Live payments' : 'Test payments',
      icon: IconSwitchHorizontal,
      words: `switch mode ${other}`,
      run: () => {
        rememberInCookie(MODE_COOKIE, other);
        show({ ...scope, mode: other });
      },
    },
    ...shown
      .filter(({ merchantId }) => merchantId !== scope.merchantId)
      .map(({ merchantId, name, merchantNumber }) => ({
        id: `merchant:${merchantId}`,
        label: name,
        icon: IconBuildingStore,
        words: `switch merchant ${merchantNumber}`,
        run: () => show({ ...scope, merchantId }),
      })),
    ...(scope.merchantId === null
      ? []
      : [
          {
            id: 'merchant:all',
            label: 'All merchants',
            icon: IconBuildingStore,
            words: 'switch merchant',
            run: () => show({ ...scope, merchantId: null }),
          },
        ]),
  ];
}
