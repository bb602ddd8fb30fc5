import { useLoaded } from '../../lib/hooks.ts';
import { linkTo } from '../../lib/route.ts';
import { listModels } from '../../lib/tensors.ts';
import { t, tx } from '../../lib/texts.ts';
import { Empty, Failure, Loading } from '../states.tsx';
import { ModelRunner } from './model-runner.tsx';
import { ModelView } from './model-view.tsx';

/** The stored models; one of them, looked at; and running one. */
export function ModelsView({ id }: { id: string | undefined }) {
  const models = useLoaded(listModels, []);
  if (id) return <ModelView key={id} id={id} />;
  if (models.error) return <Failure error={models.error} />;
  if (!models.value) return <Loading what={t('the models')} />;
  if (models.value.length === 0) {
    return (
      <Empty title={t('No models yet')}>
        <p>
          {tx('Upload code or an ONNX file with <a>upload_model</a>, or import a file with <a2>import_model</a2>.', {
            a: (text) => <a href={linkTo('tools', 'upload_model')}>{text}</a>,
            a2: (text) => <a href={linkTo('tools', 'import_model')}>{text}</a>,
          })}
        </p>
      </Empty>
    );
  }
  return (
    <>
      <ul class="models" aria-label={t('Models')}>
        {models.value.map(({ uuid, user_name: name, description }) => (
          <li key={uuid} class="card">
            <a href={linkTo('tensors', 'models', uuid)}>{name}</a>
            <p class="hint">{description}</p>
          </li>
        ))}
      </ul>
      <ModelRunner models={models.value} />
    </>
  );
}
