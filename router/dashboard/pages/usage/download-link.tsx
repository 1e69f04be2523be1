import { Download } from 'lucide-react';
import { Button } from '../../parts/button.tsx';

/** The browser fetches it itself, by its session; it is written as it is sent, however long. */
export function DownloadLink({ href, what }: { href: string; what: string }) {
  return (
    <Button asChild size="small">
      <a href={href} download>
        <Download />
        CSV
        <span className="sr-only"> of {what}</span>
      </a>
    </Button>
  );
}
