import { Page } from '../../parts/page.tsx';

export default function Todo() {
  return <Page title="…">…</Page>;
}
