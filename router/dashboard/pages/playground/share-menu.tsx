/** Shares a chat: as a link, which contains the whole chat, or as JSON. */
import { Braces, Download, Link as LinkIcon, Share2 } from 'lucide-react';
import { Button } from '../../parts/form/button.tsx';
import { Menu, MenuItem, MenuLabel } from '../../parts/menu.tsx';
import { say } from '../../parts/said.tsx';
import { BAR_LABEL } from './bar-label.ts';
import { fileOf, type KeptChat, titleOf } from './kept/chat-file.ts';
import { fragmentOf } from './kept/chat-link.ts';

export function ShareMenu({ chat }: { chat: KeptChat }) {
  const trigger = (
    <Button look="ghost" disabled={chat.turns.length === 0}>
      <Share2 /> <span className={BAR_LABEL}>Share</span>
    </Button>
  );
  return (
    <Menu trigger={trigger}>
      <MenuItem onSelect={() => void copyLink(chat)}>
        <LinkIcon /> Copy link
      </MenuItem>
      <MenuItem onSelect={() => void copy(textOf(chat), 'The chat was copied as JSON.')}>
        <Braces /> Copy JSON
      </MenuItem>
      <MenuItem onSelect={() => download(chat)}>
        <Download /> Download JSON
      </MenuItem>
      <MenuLabel>
        Everyone with the link or file can read the chat, <br />
        with its system prompts and settings.
      </MenuLabel>
    </Menu>
  );
}

async function copyLink(chat: KeptChat): Promise<void> {
  const fragment = await fragmentOf(fileOf(chat));
  if (fragment === null) {
    return say('This chat is too long for a link. Download it as JSON instead.');
  }
  const { origin, pathname } = location;
  await copy(
    `${origin}${pathname}${fragment}`,
    'The link was copied. It works for members of this organization.',
  );
}

async function copy(text: string, done: string): Promise<void> {
  // A page without TLS has no `navigator.clipboard`.
  const copying = navigator.clipboard?.writeText(text) ?? Promise.reject(new Error('no clipboard'));
  const isCopied = await copying.then(
    () => true,
    () => false,
  );
  say(isCopied ? done : 'Could not copy. Download the chat as JSON instead.');
}

function download(chat: KeptChat): void {
  const url = URL.createObjectURL(new Blob([textOf(chat)], { type: 'application/json' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = `${titleOf(chat.turns).replaceAll(/[^\p{L}\p{N}]+/gu, '-')}.json`;
  link.click();
  URL.revokeObjectURL(url);
}

function textOf(chat: KeptChat): string {
  return JSON.stringify(fileOf(chat), null, 2);
}
