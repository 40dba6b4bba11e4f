'use client';

import { Button } from '../components/button/button.tsx';
import { Dialog, DialogActions } from '../components/dialog/dialog.tsx';
import type { LeaveQuestion } from './leave-guard.tsx';

/** The question of a form that is in no dialog or panel. */
export function LeaveDialog({ question: { isAsking, stay, discard } }: { question: LeaveQuestion }) {
  if (!isAsking) return null;
  return (
    <Dialog title="Leave without saving?" onClose={stay}>
      <p>What you entered is not saved.</p>
      <DialogActions>
        <Button onClick={stay}>Keep editing</Button>
        <Button variant="danger" onClick={discard}>
          Discard
        </Button>
      </DialogActions>
    </Dialog>
  );
}
