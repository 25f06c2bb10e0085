# exercise: adjoint-table
# about: One variable for each adjoint.
def adjoint_table(x, w, b, t):
    e = (x * w + b) - t
    d_loss = 1.0
    d_e = d_loss * (e + e)
    d_z, d_t = d_e, -d_e
    d_m, d_b = d_z, d_z
    d_x, d_w = d_m * w, d_m * x
    return dict(loss=d_loss, e=d_e, z=d_z, t=d_t, m=d_m, b=d_b, x=d_x, w=d_w)
