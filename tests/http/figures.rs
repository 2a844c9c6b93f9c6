//! The figures of a server, read by a parser of the exposition format and not by us.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Index;
use std::path::Path;

use nom_openmetrics::{Family, MetricDescriptor, MetricType, Sample, parser};

use crate::stage::Stage;

/// Figures at one moment.
#[derive(Debug)]
pub(crate) struct Figures {
    text: String,
    /// Every sample by its name and labels, as `name{label="value"}`.
    samples: BTreeMap<String, f64>,
    /// The series that each metric consists of; none for one that only says what is so.
    series: BTreeMap<String, Vec<String>>,
}

impl Figures {
    /// Scrapes them, as whoever looks after the desk.
    pub(crate) async fn of(stage: &Stage) -> Self {
        let reply = stage.get("/metrics", &stage.ann.admin).await;
        assert_eq!(reply.status, 200, "{}", reply.text);
        let told = reply.header("content-type").unwrap();
        assert_eq!(told, "application/openmetrics-text; version=1.0.0; charset=utf-8");
        Self::read(&reply.text)
    }

    pub(crate) fn read(text: &str) -> Self {
        let (rest, families) = parser::openmetrics(text).unwrap_or_else(|why| panic!("{why}\n{text}"));
        assert_eq!(rest, "", "something stands behind the end");
        let mut read = Self { text: text.to_owned(), samples: BTreeMap::new(), series: BTreeMap::new() };
        for family in &families {
            read.take(family);
        }
        read
    }

    /// Takes one metric. The parser knows the grammar; that a metric has a type and a help and none but
    /// its own samples is looked at here.
    fn take(&mut self, family: &Family<'_>) {
        let name = family.descriptors[0].metric();
        assert!(family.descriptors.iter().all(|told| told.metric() == name), "{family:?}");
        assert!(
            family
                .descriptors
                .iter()
                .any(|told| matches!(told, MetricDescriptor::Help { help, .. } if !help.is_empty())),
            "{name} has no help"
        );
        for told in &family.descriptors {
            if let MetricDescriptor::Unit { unit, .. } = told {
                assert!(name.ends_with(&format!("_{unit}")), "{name} is not in {unit}");
            }
        }
        let kind = family.descriptors.iter().find_map(|told| match told {
            MetricDescriptor::Type { r#type, .. } => Some(r#type),
            _ => None,
        });
        let suffixes: &[&str] = match kind.unwrap_or_else(|| panic!("{name} has no type")) {
            MetricType::Counter => &["_total"],
            // The parser has a word for histograms and does not use it.
            MetricType::Histogram | MetricType::Unknown("histogram") => &["_bucket", "_sum", "_count"],
            MetricType::Info => &["_info"],
            MetricType::Gauge => &[""],
            other => panic!("{name} is a {other}"),
        };
        let series: Vec<String> = suffixes.iter().map(|suffix| format!("{name}{suffix}")).collect();
        for sample in &family.samples {
            assert!(series.iter().any(|series| series == sample.name()), "{sample:?} in {name}");
            let again = self.samples.insert(key(sample), sample.number());
            assert_eq!(again, None, "twice: {sample:?}");
        }
        let again = self.series.insert(name.to_owned(), series);
        assert_eq!(again, None, "twice: {name}");
    }

    /// Returns whether there is such a sample.
    pub(crate) fn has(&self, sample: &str) -> bool {
        self.samples.contains_key(sample)
    }

    /// Returns the names of all series that there are.
    pub(crate) fn series(&self) -> BTreeSet<String> {
        self.series.values().flatten().cloned().collect()
    }

    /// Returns the metrics that are not as they were before.
    fn moved_since(&self, before: &Self) -> BTreeSet<String> {
        let mut moved = BTreeSet::new();
        for (name, series) in &self.series {
            let of_it = |figures: &Self| -> Vec<(String, String)> {
                let is_its =
                    |sample: &str| series.iter().any(|series| sample.split('{').next() == Some(series));
                let samples = figures.samples.iter().filter(|(sample, _)| is_its(sample));
                samples.map(|(sample, value)| (sample.clone(), value.to_string())).collect()
            };
            if of_it(self) != of_it(before) {
                moved.insert(name.clone());
            }
        }
        moved
    }
}

impl Index<&str> for Figures {
    type Output = f64;

    fn index(&self, sample: &str) -> &f64 {
        self.samples.get(sample).unwrap_or_else(|| panic!("no {sample} in {:#?}", self.samples))
    }
}

fn key(sample: &Sample<'_>) -> String {
    let labels: Vec<String> =
        sample.labels().iter().map(|label| format!("{}={:?}", label.name, label.value)).collect();
    if labels.is_empty() {
        return sample.name().to_owned();
    }
    format!("{}{{{}}}", sample.name(), labels.join(","))
}

/// What a story has moved: the metrics that there were, and those that changed.
#[derive(Debug, Default)]
pub(crate) struct Moved {
    pub(crate) there: BTreeSet<String>,
    pub(crate) moved: BTreeSet<String>,
}

impl Moved {
    /// Compares the figures before and after a story. Both are kept below the target folder, where
    /// `scripts/test-operating.sh` has them read by Prometheus' own parser.
    pub(crate) fn between(story: &str, before: &Figures, after: &Figures) -> Self {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("figures");
        std::fs::create_dir_all(&folder).unwrap();
        for (when, figures) in [("before", before), ("after", after)] {
            std::fs::write(folder.join(format!("{story}.{when}.txt")), &figures.text).unwrap();
        }
        Self { there: after.series.keys().cloned().collect(), moved: after.moved_since(before) }
    }

    pub(crate) fn and(mut self, other: Self) -> Self {
        self.there.extend(other.there);
        self.moved.extend(other.moved);
        self
    }
}
