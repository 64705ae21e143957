//! The figures beside their targets.

/// What was measured, and what it should be at most.
#[derive(Debug, Default)]
pub struct Report {
    missed: Vec<String>,
}

impl Report {
    /// One figure with its target.
    pub fn line(&mut self, what: &str, figure: f64, most: f64, unit: &str, detail: &str) {
        let met = figure <= most;
        let verdict = if met { "ok    " } else { "MISSED" };
        println!("{verdict} {what:<46} {figure:>8.2} {unit} (at most {most} {unit})  {detail}");
        if !met {
            self.missed.push(what.to_owned());
        }
    }

    pub fn missed(&self) -> &[String] {
        &self.missed
    }
}

/// The middle one.
pub fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
