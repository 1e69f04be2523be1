/** The operators of the platform and their tokens. */
import { useInfiniteQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { operatorsQuery } from '../../../api/operators.ts';
import { Button } from '../../../parts/form/button.tsx';
import { LoadedList } from '../../../parts/list/loaded-list.tsx';
import { ForAdministrators } from '../../../parts/for-administrators.tsx';
import { Page, Panel } from '../../../parts/page.tsx';
import { AddOperatorDialog } from './add-operator-dialog.tsx';
import { NewOperatorDialog } from './new-operator-dialog.tsx';
import { type Change, OperatorDialog } from './operator-dialogs.tsx';
import { OperatorsTable } from './operators-table.tsx';

export default function OperatorsPage() {
  const operators = useInfiniteQuery(operatorsQuery);
  const [isCreating, setCreating] = useState(false);
  const [isAdding, setAdding] = useState(false);
  const [change, setChange] = useState<Change | null>(null);
  return (
    <Page
      title="Operators"
      description="Administrators see and change everything on the platform. Viewers only see it."
      actions={
        <ForAdministrators>
          <Button onClick={() => setAdding(true)}>Add an existing account</Button>
          <Button look="primary" onClick={() => setCreating(true)}>
            <Plus /> Create operator
          </Button>
        </ForAdministrators>
      }
    >
      <Panel flush className="overflow-hidden">
        <LoadedList list={operators}>
          {(rows) => <OperatorsTable rows={rows} onChange={setChange} />}
        </LoadedList>
      </Panel>
      {isAdding && <AddOperatorDialog onClose={() => setAdding(false)} />}
      {isCreating && <NewOperatorDialog onClose={() => setCreating(false)} />}
      {change && <OperatorDialog {...change} onClose={() => setChange(null)} />}
    </Page>
  );
}
