'use client';

import '@mantine/core/styles/Popover.layer.css';
import { Popover } from '@mantine/core';
import { type KeyboardEvent, useCallback, useEffect, useRef, useState } from 'react';
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
  function press(event: KeyboardEvent) {
    if (event.key !== 'Escape' || event.defaultPrevented) return;
    event.preventDefault();
    close();
  }

  return (
    <Popover
      opened={opened}
      onChange={setOpened}
      position={`bottom-${align}`}
      offset={4}
      {...(width !== undefined && { width })}
      // Its own handler below: what floats within takes the key first, which the kit's would not wait for.
      closeOnEscape={false}
      trapFocus
      returnFocus
      transitionProps={{ duration: 90, transition: 'fade' }}
    >
      <Popover.Target>
        <button ref={trigger} type="button" {...button} onClick={() => setOpened(!opened)} />
      </Popover.Target>
      <Popover.Dropdown className={classes.dropdown ?? ''} aria-label={label} {...floatingHomeMark} onKeyDown={press}>
        {content(close)}
      </Popover.Dropdown>
    </Popover>
  );
}
