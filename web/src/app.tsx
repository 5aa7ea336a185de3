import { Loader } from '@mantine/core';
import { lazy, type ReactNode, Suspense } from 'react';
import { Link, Route, Switch, useLocation } from 'wouter';
import { Gate } from './session/gate.js';
import { SignInDialog } from './session/sign-in-dialog.js';
import { Shell } from './shell/shell.js';
import { Boundary } from './show/boundary.js';
import { useKeptFocus } from './show/kept-focus.js';
import { View } from './show/view.js';
import { DropAnywhere } from './upload/drop-anywhere.js';
import { ListKeeper } from './upload/list-keeper.js';
import { UploadView } from './upload/upload-view.js';

const SubmissionView = lazy(async () => ({
  default: (await import('./submission/submission-view.js')).SubmissionView,
}));
const SubmissionsView = lazy(async () => ({
  default: (await import('./submissions/submissions-view.js')).SubmissionsView,
}));
const SamplesView = lazy(async () => ({ default: (await import('./samples/samples-view.js')).SamplesView }));
const BatchEditView = lazy(async () => ({ default: (await import('./samples/batch-edit-view.js')).BatchEditView }));
const SampleView = lazy(async () => ({ default: (await import('./samples/sample-view.js')).SampleView }));
const ChecklistsView = lazy(async () => ({
  default: (await import('./checklists/checklists-view.js')).ChecklistsView,
}));
const ChecklistView = lazy(async () => ({ default: (await import('./checklists/checklist-view.js')).ChecklistView }));
const AccountView = lazy(async () => ({ default: (await import('./account/account-view.js')).AccountView }));
const AccountsView = lazy(async () => ({ default: (await import('./account/accounts-view.js')).AccountsView }));
const OtherAccountView = lazy(async () => ({
  default: (await import('./account/other-account-view.js')).OtherAccountView,
}));
const OperationsView = lazy(async () => ({
  default: (await import('./operations/operations-view.js')).OperationsView,
}));

const gated = (view: ReactNode): ReactNode => <Gate>{view}</Gate>;

/** Public samples and the checklists may be read by anyone; everything else belongs to an account. */
export function App() {
  const [location] = useLocation();
  useKeptFocus();
  return (
    <Shell>
      <DropAnywhere />
      <ListKeeper />
      <Boundary key={location}>
        <Suspense fallback={<Loader aria-label="Loading" />}>
          <Switch>
            <Route path="/">{gated(<UploadView />)}</Route>
            <Route path="/submissions">{gated(<SubmissionsView />)}</Route>
            <Route path="/submissions/:id">{({ id }) => gated(<SubmissionView key={id} id={id} />)}</Route>
            <Route path="/samples">
              <SamplesView />
            </Route>
            <Route path="/samples/edit">{gated(<BatchEditView />)}</Route>
            <Route path="/samples/:accession">
              {({ accession }) => <SampleView key={accession} accession={accession} />}
            </Route>
            <Route path="/checklists">
              <ChecklistsView />
            </Route>
            <Route path="/checklists/:id">{({ id }) => <ChecklistView key={id} id={id} />}</Route>
            <Route path="/accounts">{gated(<AccountsView />)}</Route>
            <Route path="/accounts/:account">
              {({ account }) => gated(<OtherAccountView key={account} account={account} />)}
            </Route>
            <Route path="/account">{gated(<AccountView />)}</Route>
            <Route path="/operations">{gated(<OperationsView />)}</Route>
            <Route>
              <View title="There is nothing here">
                <p>
                  The address may be mistyped. <Link href="/">Go to the upload</Link>.
                </p>
              </View>
            </Route>
          </Switch>
        </Suspense>
      </Boundary>
      <SignInDialog />
    </Shell>
  );
}
