'use client';

import '@mantine/core/styles/Popover.layer.css';
import { Popover } from '@mantine/core';
import { useCallback, useEffect, useRef, useState } from 'react';
import { floatingHomeMark } from '../kit/floating-home.ts';
import { KitProvider } from '../kit/kit-provider.tsx';
import classes from './popup.module.css';
import type { PopupProps } from './popup-props';

/** The part of a popup that is fetched late. It opens as soon as it is there. */
export default function PopupOpen(props: PopupProps) {
  return (
    <KitProvider>
      <OpenPopup {...props} />
    </KitProvider>
  );
}

function OpenPopup({ button, label, align, width, content }: PopupProps) {
  const trigger = useRef<HTMLButtonElement>(null);
  const [opened, setOpened] = useState(false);
  const close = useCallback(() => setOpened(false), []);
  useEffect(() => {
    // The button this one replaced had the focus; closing returns the focus to the current button.
    trigger.current?.focus();
    setOpened(true);
  }, []);
  return (
    <Popover
      opened={opened}
      onChange={setOpened}
      position={`bottom-${align}`}
      offset={4}
      {...(width !== undefined && { width })}
      trapFocus
      returnFocus
      transitionProps={{ duration: 90, transition: 'fade' }}
    >
      <Popover.Target>
        <button ref={trigger} type="button" {...button} onClick={() => setOpened(!opened)} />
      </Popover.Target>
      <Popover.Dropdown className={classes.dropdown ?? ''} aria-label={label} {...floatingHomeMark}>
        {content(close)}
      </Popover.Dropdown>
    </Popover>
  );
}
