'use client';

import { type ReactNode, type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { type FieldValues, FormProvider, useFormContext, useFormState } from 'react-hook-form';
import { Button, type ButtonProps } from '../components/button/button.tsx';
import { Dialog, DialogActions, useUnsavedInDialog } from '../components/dialog/dialog.tsx';
import { Refusal } from '../components/page/refusal.tsx';
import { FieldsInSightContext } from './bound-fields.tsx';
import type { FormState } from './use-form.ts';
import { useUnloadWarning } from './use-unload-warning.ts';

const FIRST_WRONG = '[aria-invalid="true"], [data-wrong="true"] input';

/**
 * The element around the fields of a form: Enter submits it, the first wrong field has the focus after a submission, and closing
 * the dialog around it or leaving the page asks first while something is entered. `warns` is off where nothing would be lost.
 */
export function Form<Entered extends FieldValues, Sent>({
  form,
  className,
  label,
  labelledBy,
  warns = true,
  ref,
  children,
}: {
  form: FormState<Entered, Sent>;
  className?: string | undefined;
  label?: string;
  labelledBy?: string;
  warns?: boolean;
  ref?: RefObject<HTMLFormElement | null>;
  children: ReactNode;
}) {
  const own = useRef<HTMLFormElement>(null);
  const element = ref ?? own;
  const isUnsaved = warns && form.isDirty;
  const isInDialog = useUnsavedInDialog(isUnsaved);
  // Before anything else is typed: the focus must not move under a person's hands.
  useLayoutEffect(() => {
    if (form.refusals > 0) element.current?.querySelector<HTMLElement>(FIRST_WRONG)?.focus();
  }, [form.refusals, element]);
  return (
    <FormProvider {...form.methods}>
      <FieldsInSightContext value={form.inSight}>
        <form
          ref={element}
          // Before the page's script came, nothing entered must end up in the address.
          method="post"
          noValidate
          className={className}
          style={className === undefined ? { display: 'contents' } : undefined}
          aria-label={label}
          aria-labelledby={labelledBy}
          onSubmit={(event) => void form.submit(event)}
        >
          {children}
        </form>
      </FieldsInSightContext>
      <LeaveGuard isUnsaved={isUnsaved} asks={!isInDialog} />
    </FormProvider>
  );
}

/** Why the form as a whole was refused; `small` for a form of one line, where it takes no place while there is nothing to say. */
export function FormRefusal({ small = false }: { small?: boolean }) {
  const { errors } = useFormState();
  const message = errors.root?.refused?.message ?? null;
  return small && message === null ? null : <Refusal message={message} />;
}

/** The button that submits the form around; loading until the answer has come. */
export function SubmitButton(props: Omit<ButtonProps, 'type' | 'loading' | 'onClick'>) {
  const { isSubmitting } = useFormContext().formState;
  return <Button variant="accent" {...props} type="submit" loading={isSubmitting} />;
}

/** The end of a form in a dialog: why it was refused, cancelling and the action; `others` are further ways out after it. */
export function FormActions({
  action,
  variant = 'accent',
  disabled = false,
  onCancel,
  others,
}: {
  action: string;
  variant?: 'accent' | 'danger';
  disabled?: boolean;
  onCancel?: () => void;
  others?: ReactNode;
}) {
  return (
    <>
      <FormRefusal />
      <DialogActions {...(onCancel !== undefined && { onCancel })}>
        <SubmitButton variant={variant} disabled={disabled}>
          {action}
        </SubmitButton>
        {others}
      </DialogActions>
    </>
  );
}

/**
 * Asks before something unsaved is lost: the browser as the window closes or loads another page, and, where it `asks` itself, a
 * dialog as a link of this page is followed.
 */
function LeaveGuard({ isUnsaved, asks }: { isUnsaved: boolean; asks: boolean }) {
  const [followed, setFollowed] = useState<HTMLAnchorElement | null>(null);
  useUnloadWarning(isUnsaved);
  useEffect(() => {
    if (!isUnsaved || !asks) return;
    const hold = (event: MouseEvent) => {
      const link = leavingLink(event);
      if (link === null) return;
      event.preventDefault();
      event.stopPropagation();
      setFollowed(link);
    };
    document.addEventListener('click', hold, { capture: true });
    return () => document.removeEventListener('click', hold, { capture: true });
  }, [isUnsaved, asks]);
  if (followed === null) return null;
  return (
    <Dialog title="Leave without saving?" onClose={() => setFollowed(null)}>
      <p>What you entered is not saved.</p>
      <DialogActions>
        <Button onClick={() => setFollowed(null)}>Keep editing</Button>
        <Button
          variant="danger"
          onClick={() => {
            setFollowed(null);
            follow(followed);
          }}
        >
          Discard
        </Button>
      </DialogActions>
    </Dialog>
  );
}

/** Set while a link is followed that was held before. */
let isFollowing = false;

function follow(link: HTMLAnchorElement): void {
  isFollowing = true;
  link.click();
  isFollowing = false;
}

/** The link that a click would leave the page by, in this window. */
function leavingLink(event: MouseEvent): HTMLAnchorElement | null {
  const isPlain = event.button === 0 && !(event.ctrlKey || event.metaKey || event.shiftKey || event.altKey);
  if (isFollowing || !isPlain || !(event.target instanceof Element)) return null;
  const link = event.target.closest('a');
  if (link === null || link.href === '' || link.download !== '' || (link.target !== '' && link.target !== '_self')) return null;
  const to = new URL(link.href, window.location.href);
  const isHere = to.pathname === window.location.pathname && to.search === window.location.search;
  return to.origin === window.location.origin && !isHere ? link : null;
}
