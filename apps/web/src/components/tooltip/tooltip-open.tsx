'use client';

import '@mantine/core/styles/Tooltip.layer.css';
import { Tooltip } from '@mantine/core';
import type { ReactNode, RefObject } from 'react';
import { floatingHome } from '../kit/floating-home.ts';
import { KitProvider } from '../kit/kit-provider.tsx';
import classes from './tooltip.module.css';

/** The words of a tooltip and the element that holds what they are about. */
export interface TooltipOpenProps {
  readonly id: string;
  readonly text: ReactNode;
  readonly holder: RefObject<HTMLElement | null>;
}

/** The part of a tooltip that is fetched late: shown beside the first element of its holder. */
export function TooltipOpen({ id, text, holder }: TooltipOpenProps) {
  const target = holder.current?.firstElementChild;
  if (!(target instanceof HTMLElement)) return null;
  return (
    <KitProvider>
      <Tooltip
        id={id}
        opened
        target={target}
        label={text}
        multiline
        offset={6}
        floatingStrategy="fixed"
        transitionProps={{ duration: 90, transition: 'fade' }}
        portalProps={{ target: floatingHome(target) }}
        className={classes.tooltip ?? ''}
      />
    </KitProvider>
  );
}
