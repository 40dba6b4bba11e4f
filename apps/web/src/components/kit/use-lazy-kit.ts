'use client';

import { type ComponentType, useEffect, useState } from 'react';

/**
 * A component that is fetched once it is asked for; null until it is there. `load` has the same identity on every render. A failed
 * load is tried again when it is asked for again.
 */
export function useLazyKit<Props>(wanted: boolean, load: () => Promise<ComponentType<Props>>): ComponentType<Props> | null {
  const [loaded, setLoaded] = useState<{ readonly Component: ComponentType<Props> } | null>(null);
  useEffect(() => {
    if (!wanted) return;
    let gone = false;
    load().then(
      (Component) => !gone && setLoaded({ Component }),
      () => undefined,
    );
    return () => {
      gone = true;
    };
  }, [wanted, load]);
  return loaded?.Component ?? null;
}
